// For plugins that call an HTTP service: its options, the call, and what it has answered.
export { badReply, parseReply, type Reply, readText } from '@vid/client/connection'
export { MAX_TRANSCRIPT_BYTES, readTranscript } from './answers/read-transcript.ts'
export { fail as failSpeech } from './errors.ts'
export { fillPlaceholders } from './fill-placeholders.ts'
export { callService, type ServiceBody, type ServiceConnection } from './service/call-service.ts'
export { type FormFile, fileBody, multipart } from './service/multipart.ts'
export { type ServicePlace, serviceOptions } from './service/service-options.ts'
