export * from './characters.ts'
export { type CheckedComposition, checkComposition } from './check-composition.ts'
export { compositionReader } from './composition-reader.ts'
export { type EditReach, type EditWindow, readEdit } from './edit/edit.ts'
export { coreErrors, type ElementPlace } from './errors.ts'
export { readClipTree, type TreeClip } from './nesting/clip-tree.ts'
export type { CompiledComposition } from './nesting/compile.ts'
export { compileComposition, compileEntry } from './nesting/compile-project.ts'
export { type HostIssue, hostIssuePlace } from './nesting/nested-host.ts'
export { authoredPlace, type ScriptPlace } from './nesting/scope-script.ts'
export { readSourceElements, type SourceElement } from './nesting/source-elements.ts'
export { NO_COMPOSITION } from './no-composition.ts'
export * from './read-tasks.ts'
export * from './source/clips.ts'
export * from './source/digest.ts'
export {
  findProject,
  type LoadedComposition,
  loadComposition,
  readDeclaredShapes,
  readEntryText,
} from './source/load.ts'
export { replaceRawElements } from './source/markup.ts'
export * from './source/metadata.ts'
export { type Composition, parseComposition } from './source/parse.ts'
export type { ReadOptions } from './source/project-files.ts'
export { withRootSize } from './source/root-size.ts'
export { shapedText } from './source/shaped-text.ts'
export * from './timing/start-expression.ts'
export * from './timing/start-time.ts'
export * from './variables/declarations.ts'
export * from './variables/variables.ts'
export { coreWarnings } from './warnings.ts'
