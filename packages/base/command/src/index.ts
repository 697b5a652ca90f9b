export { shellWord } from '@vid/protocol'
export { confirm } from './ask/confirm.ts'
export { askLine } from './ask/question.ts'
export { readSecret } from './ask/secret-input.ts'
export type { Terminal } from './ask/terminal.ts'
export { type CommandContext, stopped } from './context.ts'
export * from './define/command.ts'
export type { CommandLists } from './define/command-lists.ts'
export { textParts } from './define/result-text.ts'
export { commandErrors, fail, unknownCommand } from './errors.ts'
export {
  type Option,
  type OptionTable,
  type OptionValues,
  type PathUse,
  parseOption,
  ruleOf,
} from './options/option.ts'
export { throwErrors, type WrittenOptions } from './options/parse-options.ts'
export { renderOptions } from './options/render-options.ts'
export { bindingOptions, itemsOf, milliseconds, seconds, serverOptions, size } from './options/server-options.ts'
export { type SettingOptions, settingOption, surfaceOptions } from './options/setting-option.ts'
export { numberFrom, outputOptions, shapeOption } from './options/shared-options.ts'
export { flagName, settingsOf } from './options/spelling.ts'
export { inputsOf } from './options/variables.ts'
export { type Counted, countedBytes, countedProgress } from './report/counted-progress.ts'
export { bar, createPace, leftText } from './report/pace.ts'
export { createPaint, type Paint } from './report/paint.ts'
export { liveProgress, type Progress, plainProgress, silentProgress, throttleProgress } from './report/progress.ts'
export type { ForeignEvent, Report } from './report/report.ts'
export { createTrouble } from './report/trouble.ts'
export { tableText, timeText } from './text/table-text.ts'
export { bytesText, costText, dollars, shortPath } from './text/text.ts'
