import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failHttp } from './errors.ts'

const MAX_DEPTH = 200
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Whether arrays and objects in a JSON text are nested too deeply for the code that walks them. */
const isTooDeep = (text: Buffer): boolean => {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const byte = text[index] as number
    if (isInString) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (OPENING.has(byte)) {
      depth++
      if (depth > MAX_DEPTH) return true
    } else if (CLOSING.has(byte)) depth--
  }
  return false
}

const decoded = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw failHttp('VID_HTTP_BODY_JSON', { reason: 'it is not UTF-8' }, { cause })
  }
}

type Parse = ReturnType<FastifyInstance['getDefaultJsonParser']>

/** Parses a JSON text; the callback gets a coded error for one that is not valid, nests too deep or poisons prototypes. */
const parseJson = (
  parse: Parse,
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, value?: unknown) => void,
): void => {
  const isDeep = isTooDeep(body)
  if (body.length === 0 || isDeep) {
    const problem = isDeep ? `it is nested more than ${MAX_DEPTH} levels deep` : 'it is empty'
    done(failHttp('VID_HTTP_BODY_JSON', { reason: problem }))
    return
  }
  // The parser's own message quotes a part of the text, which may be a secret.
  parse(request, decoded(body), (error, value) => {
    const reason = 'it is not valid, or has a key named __proto__ or constructor.prototype'
    done(error ? failHttp('VID_HTTP_BODY_JSON', { reason }) : null, value)
  })
}

/** Reads JSON that is a part of a form, by the rules for a body of JSON. */
export const readJsonPart = (request: FastifyRequest, text: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const parse = request.server.getDefaultJsonParser('error', 'error')
    parseJson(parse, request, Buffer.from(text), (error, value) => (error ? reject(error) : resolve(value)))
  })

/** Makes JSON the only body type of routes, unless they add others; refuses prototype poisoning. */
export const readJsonBodies = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) =>
    parseJson(parse, request, body, done),
  )
}
