import {
  CloudAssetSchema,
  CloudPageSchema,
  CloudPublicationSchema,
  CloudPublishSchema,
  CloudRecordSchema,
  CloudRenderInputSchema,
  CloudSubmittedSchema,
  CloudUploadInputSchema,
  CloudUploadSchema,
  CloudUserSchema,
  CloudWebhookSchema,
  IdempotencyKeySchema,
} from '@vid/client/contract'
import { Type, WarningSchema } from '@vid/protocol'

/** The named schemas of the OpenAPI document. */
export const cloudSchemas = {
  RenderRequest: CloudRenderInputSchema,
  SubmittedRender: CloudSubmittedSchema,
  RenderRecord: CloudRecordSchema,
  RenderPage: CloudPageSchema,
  Asset: CloudAssetSchema,
  UploadRequest: CloudUploadInputSchema,
  Upload: CloudUploadSchema,
  User: CloudUserSchema,
  PublishRequest: CloudPublishSchema,
  Publication: CloudPublicationSchema,
  Webhook: CloudWebhookSchema,
  Warning: WarningSchema,
} as const

/** Headers of a request that can be repeated safely. */
export const keyHeaders = Type.Object({ 'idempotency-key': Type.Optional(IdempotencyKeySchema) })
