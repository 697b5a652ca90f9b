export type { Account } from './accounts/accounts.ts'
export { type CredentialKind, createAuthenticate, credentialOf } from './accounts/authenticate.ts'
export { createFirstAccount, type FirstAccount } from './accounts/first-account.ts'
export type { AdminName, AdminParams, AdminResult } from './admin/admin-functions.ts'
export { serveAdmin } from './admin/admin-socket.ts'
export { type Admin, type AdminPlace, openAdmin } from './admin/open-admin.ts'
export { type RestoredFacts, type RestorePlace, restoreBackup } from './backup/restore-backup.ts'
export { type Cloud, type CloudOptions, type CloudRooms, createCloud } from './create-cloud.ts'
export { cloudErrors } from './errors.ts'
export { addOAuth, type OAuthOptions } from './oauth/add-oauth.ts'
export type { Upstream } from './oauth/upstream.ts'
export { addPublicationRoutes, type PublicationParts } from './publish/publication-routes.ts'
export type { OnEnded } from './queue/endings.ts'
export { type AcceptedRender, openQueue, type Queue } from './queue/queue.ts'
export type { RenderRow } from './queue/render-row.ts'
export { removeOldRecords } from './remove-old-records.ts'
export {
  type RenderingOptions,
  type StartedCloud,
  type StartOptions,
  startCloud,
} from './start-cloud.ts'
export { openS3Storage } from './storage/s3-storage.ts'
export type { SweepSettings } from './sweep/settings.ts'
export { type Swept, startSweeper, sweep } from './sweep/sweep.ts'
export { queueWebhook } from './webhooks/queue-webhook.ts'
export type { EndedRender, ResultAddresses } from './webhooks/webhook-body.ts'
export {
  startWebhookSender,
  type WebhookSender,
  type WebhookSenderOptions,
} from './webhooks/webhook-sender.ts'
export { addWorkMetrics } from './worker/metrics.ts'
export type { ProjectSource, WorkerParts, WorkerSettings, WorkParts } from './worker/parts.ts'
export { type ChosenSize, chooseSize } from './worker/size.ts'
export { type Supervisor, startSupervisor } from './worker/supervisor.ts'
export { startWorker, type Worker, type WorkerOptions } from './worker/worker.ts'
