export { type Cloud, type CloudOptions, type CloudRooms, createCloud } from './create-cloud.ts'
export { cloudErrors } from './errors.ts'
