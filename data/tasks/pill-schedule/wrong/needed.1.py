        needed = {plan.pill: plan.number for plan in self.plans}
