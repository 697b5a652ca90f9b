export { lambdaErrors } from './errors.ts'
