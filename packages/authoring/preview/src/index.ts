export type * from './api.ts'
export { createPreview, type Preview, type PreviewOptions } from './create-preview.ts'
export { previewErrors } from './errors.ts'
export { openInBrowser } from './open-in-browser.ts'
