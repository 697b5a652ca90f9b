export { type BlobOptions, type BlobPlace, clearBlobs, type S3Blobs, s3Blobs } from './blobs.ts'
export type { S3Bucket } from './bucket.ts'
export { checkCredentials, createS3Client, type S3ClientOptions, type S3Credentials, withoutNotice } from './client.ts'
export { contentType } from './content-type.ts'
export {
  downloadObject,
  type FoundObject,
  openObject,
  readObject,
  readObjectText,
  readTagged,
  type TaggedText,
} from './download.ts'
export { type S3Action, s3Errors } from './errors.ts'
export { s3Error, s3Reason } from './failure.ts'
export {
  exists,
  findObject,
  listObjects,
  putIfAbsent,
  putIfUnchanged,
  putObject,
  refreshObject,
  removeObjects,
  type S3Object,
  sizeOf,
} from './objects.ts'
export { s3Options } from './options.ts'
export { checkBucket } from './place-check.ts'
export { byRank, endedPlaylist, isPlaylist, namesIn, type Playlist, readPlaylists } from './playlists.ts'
export { type UploadOptions, uploadFile } from './upload.ts'
export { s3Warnings } from './warnings.ts'
export { type NamedBucket, withBucket } from './with-bucket.ts'
export { proveWriting } from './write-proof.ts'
