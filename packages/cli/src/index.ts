export { cliErrors } from './errors.ts'
export type { CliContext } from './flag-command.ts'
export { main } from './main.ts'
export { renderFlags } from './render-flags.ts'
