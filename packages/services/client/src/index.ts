export {
  type CloudCall,
  type CloudClient,
  type CloudProjectSource,
  createCloudClient,
  type KeyedCall,
} from './cloud/client.ts'
export type { CloudCredential, CredentialSource } from './cloud/credential.ts'
export type { DownloadCall } from './cloud/downloads.ts'
export { renderFailure, type WaitOptions } from './cloud/following.ts'
export { cloudLeftBehind } from './cloud/left-behind.ts'
export { type CloudClientOptions, type CloudLimits, cloudLimits } from './cloud/options.ts'
export { listAll } from './cloud/pages.ts'
export type { PosterFormat } from './cloud/posters.ts'
export { type CloudRemoteOptions, cloudRemote } from './cloud/remote-render.ts'
export type { UploadRules, ZipFile } from './cloud/uploads.ts'
export { apiUrlOf } from './credentials/place.ts'
export { forceRefresh } from './credentials/refresh.ts'
export { type CredentialQuestion, type ResolvedCredential, resolveCredential } from './credentials/resolve.ts'
export { clientErrors } from './errors.ts'
export type { HttpLimits } from './http/limits.ts'
export type { ZipSource } from './http/project-zip.ts'
export { unpackResult } from './http/result-folder.ts'
export { type LoginOptions, type LoginPlace, login, storeApiKey } from './login/login.ts'
export { type LoggedOut, logout } from './login/logout.ts'
export { type CallOptions, createProducerClient, type ProducerClient } from './producer/client.ts'
export type { ProducerOutput } from './producer/download.ts'
export type { RenderCall } from './producer/follow.ts'
export { type ClientLimits, clientLimits, type ProducerClientOptions } from './producer/options.ts'
export type { ProjectSource } from './producer/projects.ts'
export { clientWarnings } from './warnings.ts'
export { type ReceivedWebhook, verifyWebhook } from './webhook.ts'
