export { browserErrors } from './errors.ts'
export { type BrowserExecutable, type FindBrowserOptions, findBrowser } from './find.ts'
export type { BrowserKind } from './installed.ts'
