// What compiles a composition whose files are not in a folder: a player does that in a browser.
export { compileText } from './nesting/compile.ts'
export { parseComposition } from './source/parse.ts'
export type { ProjectFiles } from './source/project-references.ts'
export { resolveVariables } from './variables/variables.ts'
