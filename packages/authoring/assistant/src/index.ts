export { assistantErrors } from './errors.ts'
export { makeTools, type Tool } from './tools/tool.ts'
