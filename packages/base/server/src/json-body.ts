import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failHttp } from './errors.ts'

const MAX_DEPTH = 200
/** Values of all arrays and objects together: code that walks them takes time for each. */
const MAX_VALUES = 10_000
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const COMMA = 0x2c
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** The reason why arrays and objects in a JSON text are too deep or too many for the code that walks them. */
const unwalkable = (text: Buffer): string | undefined => {
  let depth = 0
  let values = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const byte = text[index] as number
    if (isInString) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (byte === COMMA) values++
    else if (OPENING.has(byte)) {
      depth++
      values++
      if (depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`
    } else if (CLOSING.has(byte)) depth--
    if (values > MAX_VALUES) return `it has more than ${MAX_VALUES} values`
  }
  return undefined
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
  const refuse = (reason: string) => done(failHttp('VID_HTTP_BODY_JSON', { reason }))
  if (body.length === 0) {
    refuse('it is empty')
    return
  }
  const reason = unwalkable(body)
  if (reason !== undefined) {
    refuse(reason)
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
