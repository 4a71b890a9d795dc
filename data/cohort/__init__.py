"""Students simulated click by click (`simulate`), with grades that follow from what they did; none is a real person."""
