import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of HTTP requests and of servers that cannot start; the status of each is in `status.ts`. */
export const serverErrors = {
  VID_HTTP_INVALID: (f: { part: string; problems: readonly string[]; field?: string | undefined }) => ({
    message: `the request's ${f.part} is wrong: ${f.problems.join('; ')}`,
    hint: 'correct the values named above; GET /openapi.json describes every request',
    fault: 'caller',
  }),
  VID_HTTP_MALFORMED: (_: object) => ({
    message: 'the request is not well-formed HTTP',
    hint: 'send it with an HTTP/1.1 client, with as many bytes as its Content-Length says',
    fault: 'caller',
  }),
  VID_HTTP_ADDRESS: (_: object) => ({
    message: 'the address of the request is malformed or has a part that is too long',
    hint: 'encode the parts of the path with encodeURIComponent',
    fault: 'caller',
  }),
  VID_HTTP_NOT_FOUND: (_: object) => ({
    message: 'there is nothing at this address',
    hint: 'GET /openapi.json lists every route',
    fault: 'caller',
  }),
  VID_HTTP_METHOD: (f: { method: string; allowed: readonly string[] }) => ({
    message: `this address does not take ${f.method}`,
    hint: `send ${f.allowed.join(' or ')}`,
    fault: 'caller',
  }),
  VID_HTTP_BODY_TOO_LARGE: (f: { bytes: number }) => ({
    message: `the body is larger than ${f.bytes} bytes`,
    hint: 'send less, or have the operator of the server raise its limit',
    fault: 'caller',
  }),
  VID_HTTP_BODY_JSON: (f: { reason: string }) => ({
    message: `the body cannot be read as JSON: ${f.reason}`,
    hint: 'send one JSON value in UTF-8',
    fault: 'caller',
  }),
  VID_HTTP_MEDIA_TYPE: (f: { found: string }) => ({
    message: `this route does not read ${f.found}`,
    hint: 'send a body of a type that GET /openapi.json lists, uncompressed, with its Content-Type',
    fault: 'caller',
  }),
  VID_HTTP_HEADERS_TOO_LARGE: (_: object) => ({
    message: 'the headers of the request are too large',
    hint: 'send fewer or shorter headers, and long values in the body',
    fault: 'caller',
  }),
  VID_HTTP_TIMEOUT: (_: object) => ({
    message: 'the request did not arrive in time',
    hint: 'send it again on a faster connection, or have the operator of the server raise its time limit',
    fault: 'caller',
  }),
  VID_HTTP_EXPECTATION: (_: object) => ({
    message: 'the Expect header asks for something that this server does not do',
    hint: 'leave the header out, or send Expect: 100-continue',
    fault: 'caller',
  }),
  VID_HTTP_HOST: (f: { host: string }) => ({
    message: `this server does not answer to the host ${f.host}`,
    hint: 'use the address that the server printed, or have its operator allow this host name',
    fault: 'caller',
  }),
  VID_HTTP_ORIGIN: (f: { origin: string }) => ({
    message: `pages of ${f.origin} may not use this server`,
    hint: 'have the operator of the server allow this origin',
    fault: 'caller',
  }),
  VID_HTTP_UNAUTHORIZED: (_: object) => ({
    message: 'the request carries no token that this server knows',
    hint: 'send Authorization: Bearer with the token of the server',
    fault: 'caller',
  }),
  VID_HTTP_RANGE: (f: { bytes: number }) => ({
    message: `the range is outside the file, which has ${f.bytes} bytes`,
    hint: 'ask for bytes that the file has',
    fault: 'caller',
  }),
  VID_HTTP_TOO_MANY: (_: object) => ({
    message: 'there were too many requests',
    hint: 'wait as long as the header Retry-After says',
    fault: 'caller',
  }),
  VID_HTTP_FAILED: (_: object) => ({
    message: 'the server failed to answer',
    hint: "the server's log has the reason, under the id of the request",
    fault: 'render',
  }),
  VID_SERVER_STOPPING: (_: object) => ({
    message: 'the server is stopping and takes no new work',
    hint: 'send the request again in a while, or to another server',
    fault: 'machine',
  }),
  VID_SERVER_TOKEN_MISSING: (f: { host: string; where: string }) => ({
    message: `a server at ${f.host} can be reached from other machines, and needs a token`,
    hint: `set ${f.where} to at least 16 random characters, or listen on 127.0.0.1`,
    fault: 'caller',
  }),
  VID_SERVER_TOKEN_WEAK: (f: { where: string; problem: string }) => ({
    message: `a token of the server cannot be used: ${f.problem}`,
    hint: `set ${f.where} to at least 16 random characters, such as the output of: openssl rand -hex 32`,
    fault: 'caller',
  }),
  VID_SERVER_LISTEN: (f: { host: string; port: number; reason: string }) => ({
    message: `the server cannot listen on ${f.host} port ${f.port}: ${f.reason}`,
    hint: 'choose another port or host, or stop the program that has it',
    fault: 'machine',
  }),
} satisfies ErrorTable

/** Makes the errors of HTTP requests and of servers. */
export const failHttp = defineErrors(serverErrors)
