export { cloudErrors } from './errors.ts'
