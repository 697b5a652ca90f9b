export * from '@vid/protocol'
export { createKernel } from './kernel.ts'
export { render } from './render.ts'
