export { clientGone } from './client-gone.ts'
export { attachment } from './content-disposition.ts'
export {
  type ErrorReply,
  ErrorReplySchema,
  type ErrorWording,
  errorEnvelope,
} from './error-reply.ts'
export { failHttp, serverErrors } from './errors.ts'
export { type EventStream, type EventStreamOptions, openEventStream } from './event-stream.ts'
export { isLoopback } from './host-check.ts'
export { DEFAULT_LIMITS, type Limits } from './limits.ts'
export { type LogLevel, type LogOptions, noteCode } from './log.ts'
export type { ApiTitle, SecuritySchemes } from './openapi.ts'
export type { Authenticate, ServerOptions } from './options.ts'
export { createReplyText, type ErrorText, inOneText, type ReplyText } from './reply-text.ts'
export { REQUEST_ID_PATTERN } from './request-id.ts'
export type { SchemaTypes } from './schema-check.ts'
export { fileMark, type SentFile, sendFile } from './send-file.ts'
export { type App, createServer, type Listening, type VidServer } from './server.ts'
export { type StatusTable, statusOf } from './status.ts'
export { ANYONE, type Binding, bearerToken, bindingProblem, ownerOf } from './tokens.ts'
