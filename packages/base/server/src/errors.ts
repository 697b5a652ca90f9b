import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of HTTP requests and of servers that cannot start; `status.ts` has the status of each. */
export const serverErrors = {
  VID_HTTP_INVALID: (f: { part: string; problems: readonly string[]; field?: string | undefined }) => ({
    message: `The request's ${f.part} is wrong: ${f.problems.join('; ')}.`,
    hint: 'Correct the values named above; GET /openapi.json describes every request.',
    fault: 'caller',
  }),
  VID_HTTP_MALFORMED: (_: object) => ({
    message: 'The request is not well-formed HTTP.',
    hint: 'Send it with an HTTP/1.1 client and a correct Content-Length.',
    fault: 'caller',
  }),
  VID_HTTP_ADDRESS: (_: object) => ({
    message: 'The address of the request is malformed or has a part that is too long.',
    hint: 'Encode the parts of the path with encodeURIComponent.',
    fault: 'caller',
  }),
  VID_HTTP_NOT_FOUND: (_: object) => ({
    message: 'There is nothing at this address.',
    hint: 'GET /openapi.json lists every route.',
    fault: 'caller',
  }),
  VID_HTTP_METHOD: (f: { method: string; allowed: readonly string[] }) => ({
    message: `This address does not accept ${f.method}.`,
    hint: `Send ${f.allowed.join(' or ')}.`,
    fault: 'caller',
  }),
  VID_HTTP_BODY_TOO_LARGE: (f: { bytes: number }) => ({
    message: `The body is larger than ${f.bytes} bytes.`,
    hint: 'Send less, or ask the operator to raise the limit.',
    fault: 'caller',
  }),
  VID_HTTP_BODY_JSON: (f: { reason: string }) => ({
    message: `The body cannot be read as JSON: ${f.reason}.`,
    hint: 'Send one JSON value in UTF-8.',
    fault: 'caller',
  }),
  VID_HTTP_FORM: (f: { reason: string }) => ({
    message: `The form cannot be read: ${f.reason}.`,
    hint: 'Send multipart/form-data with the parts that GET /openapi.json describes, up to its last boundary.',
    fault: 'caller',
  }),
  VID_HTTP_MEDIA_TYPE: (f: { found: string }) => ({
    message: `This route does not read ${f.found}.`,
    hint: 'Send a body of a type that GET /openapi.json lists, uncompressed, with its Content-Type.',
    fault: 'caller',
  }),
  VID_HTTP_HEADERS_TOO_LARGE: (_: object) => ({
    message: 'The headers of the request are too large.',
    hint: 'Send fewer or shorter headers, and long values in the body.',
    fault: 'caller',
  }),
  VID_HTTP_TIMEOUT: (_: object) => ({
    message: 'The request did not arrive in time.',
    hint: 'Send it again on a faster connection, or ask the operator to raise the time limit.',
    fault: 'caller',
  }),
  VID_HTTP_EXPECTATION: (_: object) => ({
    message: 'This server does not support the value of the Expect header.',
    hint: 'Leave the header out, or send Expect: 100-continue.',
    fault: 'caller',
  }),
  VID_HTTP_HOST: (f: { host: string }) => ({
    message: `This server does not answer to the host ${f.host}.`,
    hint: 'Use the address that the server printed, or ask the operator to allow this host name.',
    fault: 'caller',
  }),
  VID_HTTP_ORIGIN: (f: { origin: string }) => ({
    message: `Pages of ${f.origin} may not use this server.`,
    hint: 'Ask the operator to allow this origin.',
    fault: 'caller',
  }),
  VID_HTTP_UNAUTHORIZED: (_: object) => ({
    message: 'The request carries no token that this server knows.',
    hint: 'Send Authorization: Bearer with the token of the server.',
    fault: 'caller',
  }),
  VID_HTTP_RANGE: (f: { bytes: number }) => ({
    message: `The range is outside the file, which has ${f.bytes} bytes.`,
    hint: 'Request bytes within the file.',
    fault: 'caller',
  }),
  VID_HTTP_TOO_MANY: (_: object) => ({
    message: 'Too many requests arrived at once.',
    hint: 'Wait for the time in Retry-After.',
    fault: 'caller',
  }),
  VID_HTTP_FAILED: (_: object) => ({
    message: 'The server failed to answer.',
    hint: 'The log of the server has the reason, under the id of the request.',
    fault: 'render',
  }),
  VID_SERVER_LACKS: (f: { reason: string; retryAfterSeconds: number }) => ({
    message: `The machine of the server lacks something: ${f.reason}.`,
    hint: 'Free disk space, memory or open files on it (ulimit -n); send the request again after the time in Retry-After.',
    fault: 'machine',
  }),
  VID_SERVER_STOPPING: (_: object) => ({
    message: 'The server is stopping and takes no new work.',
    hint: 'Send the request again in a while, or to another server.',
    fault: 'machine',
  }),
  VID_SERVER_TOKEN_MISSING: (f: { host: string; where: string }) => ({
    message: `A server at ${f.host} can be reached from other machines, and needs a token.`,
    hint: `Set ${f.where} to at least 16 random characters, or listen on 127.0.0.1.`,
    fault: 'caller',
  }),
  VID_SERVER_TOKEN_WEAK: (f: { where: string; problem: string }) => ({
    message: `A token of the server cannot be used: ${f.problem}.`,
    hint: `Set ${f.where} to at least 16 random characters, for example the output of "openssl rand -hex 32".`,
    fault: 'caller',
  }),
  VID_SERVER_LISTEN: (f: { host: string; port: number; reason: string }) => ({
    message: `The server cannot listen on ${f.host} port ${f.port}: ${f.reason}.`,
    hint: 'Choose another port or host, or stop the program that uses it.',
    fault: 'machine',
  }),
} satisfies ErrorTable

/** Creates the errors of HTTP requests and of servers. */
export const failHttp = defineErrors(serverErrors)
