export { assetErrors } from './errors.ts'
export { openCacheDir } from './folders/cache-dir.ts'
export { type BundledFamily, bundledFamilies } from './fonts/bundled-families.ts'
export { type FontFamily, type FontFile, readFontFamilies } from './fonts/font-faces.ts'
export { bundledGlyphs } from './fonts/font-glyphs.ts'
export { installFonts } from './fonts/font-hint.ts'
export { FONT_RENDERING, fontFolders, writeFontSettings } from './fonts/font-settings.ts'
export { answerFontAddress, hasLocalFont } from './fonts/google-fonts.ts'
export { digestOf } from './inputs/digest.ts'
export { digestAsset } from './inputs/file-digest.ts'
export { createInputLog, type InputLog } from './inputs/input-log.ts'
export {
  type BundledLibrary,
  packageFolder,
  packageVersion,
  resolveLibrary,
} from './libraries/bundled-library.ts'
export { parseLibraryAddress } from './libraries/library-address.ts'
export { createLibraryAnswer, remoteWarning } from './libraries/library-answer.ts'
export { CATALOGUE } from './libraries/library-catalogue.ts'
export { plainRange } from './libraries/library-version.ts'
export { declaredAddresses } from './remote/declared-addresses.ts'
export { isPublicAddress, isRefusedAddress, resolvePublic } from './remote/public-address.ts'
export { createRemoteAccess } from './remote/remote-access.ts'
export { openRemoteAssets, type RemoteAssets } from './remote/remote-assets.ts'
export {
  fetchPublic,
  type PublicAnswer,
  type PublicFetch,
  type RemoteAsset,
} from './remote/remote-download.ts'
export { type AssetSite, MEDIA_PATH, openAssetSite } from './server/asset-site.ts'
export { contentTypeOf } from './server/content-type.ts'
export { findLeftBehind, type LeftBehind, type SentProject } from './sources/left-behind.ts'
export { sourceReader } from './sources/source-reader.ts'
export { assetWarnings } from './warnings.ts'
