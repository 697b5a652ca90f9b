export { deliveryErrors, deliveryFailure } from './errors.ts'
export * from './files.ts'
export { resultKeeper } from './keeper.ts'
export { placeArtifact } from './place.ts'
