// For clients of other services: one request, its limits, and no credential in an error or behind a redirect.
export { checkAddress } from './http/address.ts'
export { checkSecret, connectionError, createConnection } from './http/connection.ts'
export type { Connection, ConnectionFacts, Reply, ServerErrors } from './http/exchange.ts'
export { badReply, parseReply, readText } from './http/replies.ts'
export { createStallWatch, fileBytes } from './http/sending.ts'
