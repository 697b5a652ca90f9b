export { compareErrors } from './errors.ts'
export type { StillChoice } from './sheet/choose-stills.ts'
export { type DrawnSheet, makeSheet, type SheetOptions, type SheetSettings } from './sheet/make-sheet.ts'
