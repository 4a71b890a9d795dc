        needed = {plan.pill: plan.number for plan in self.plans if plan.is_due(day)}
