            rained = wet
