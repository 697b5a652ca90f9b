export { type CheckedFilm, type CheckSettings, checkFilm, checkResult, type FilmRun } from './check-film.ts'
export { checkErrors } from './errors.ts'
export { type ChosenRule, chooseRules, type RuleChoice } from './rules/choose-rules.ts'
export { ruleGroups } from './rules/rules.ts'
