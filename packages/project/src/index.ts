export { copyWithText } from './altered-copy.ts'
export { type FileProblem, projectErrors } from './errors.ts'
export { type LeftBehindFiles, leftBehindTexts, leftBehindWarnings } from './left-behind.ts'
export { type ProjectLimits, projectLimits } from './limits.ts'
export { listProject, type ProjectFile, type ProjectOptions } from './listing.ts'
export { type Manifest, type ManifestFile, manifestBytes, manifestOf, readManifest } from './manifest.ts'
export { packProject, writeProjectZip } from './packing.ts'
export {
  type HeldProject,
  openProjectCache,
  type ProjectCache,
  type ProjectCacheOptions,
  type ZipSource,
} from './unpack/project-cache.ts'
export { unpackProject } from './unpack/unpacking.ts'
