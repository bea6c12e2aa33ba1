"""The pages that belong to no app: the home page, the rules, the installed app."""
