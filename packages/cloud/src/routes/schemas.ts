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
  Type,
  WarningSchema,
} from '@vid/kernel'

/** The schemas that the OpenAPI document describes by name. */
export const namedSchemas = {
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

/** Headers of a request that can be repeated without doing its work twice. */
export const keyHeaders = Type.Object({ 'idempotency-key': Type.Optional(IdempotencyKeySchema) })
