export * from '@vid/protocol'
export { createPool, machineCores, machineMemory } from '@vid/supervision'
export { createKernel } from './kernel.ts'
export { render } from './render.ts'
