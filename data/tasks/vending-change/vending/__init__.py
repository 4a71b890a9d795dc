"""A vending machine: its products and its coins."""
