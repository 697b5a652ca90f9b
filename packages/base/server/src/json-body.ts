import { setImmediate as nextTurn } from 'node:timers/promises'
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

/** Bytes that are walked before others have their turn. */
const SLICE = 2 ** 20

/** Walks a JSON text, each time up to a byte; gives the reason why it is too deep or too long for code that walks its values. */
const createWalk = (text: Buffer) => {
  let index = 0
  let depth = 0
  let values = 0
  let isInString = false
  return (end: number): string | undefined => {
    for (; index < end; index++) {
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
}

const isLong = (text: Buffer) => text.length > SLICE

/** The reason why arrays and objects in a JSON text are too deep or too many for the code that walks them. */
const unwalkable = async (text: Buffer): Promise<string | undefined> => {
  const walk = createWalk(text)
  for (let end = SLICE; ; end += SLICE) {
    const reason = walk(Math.min(end, text.length))
    if (reason !== undefined || end >= text.length) return reason
    await nextTurn()
  }
}

const decoded = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw failHttp('VID_HTTP_BODY_JSON', { reason: 'it is not UTF-8' }, { cause })
  }
}

const refusal = (reason: string) => failHttp('VID_HTTP_BODY_JSON', { reason })

/**
 * Parses a JSON text; rejects with a coded error if it is not valid, nests too deep or poisons prototypes. Each step of a
 * long one has a turn of its own, so that it holds up no other request.
 */
const parseJson = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
  if (body.length === 0) throw refusal('it is empty')
  const reason = await unwalkable(body)
  if (reason !== undefined) throw refusal(reason)
  const text = decoded(body)
  if (isLong(body)) await nextTurn()
  const parse = request.server.getDefaultJsonParser('error', 'error')
  return new Promise((resolve, reject) => {
    // The parser's own message quotes a part of the text, which may be a secret.
    void parse(request, text, (error, value) =>
      error
        ? reject(refusal('it is not valid, or has a key named __proto__ or constructor.prototype'))
        : resolve(value),
    )
  })
}

/** Reads JSON that is a part of a form, by the rules for a body of JSON. */
export const readJsonPart = (request: FastifyRequest, text: string): Promise<unknown> =>
  parseJson(request, Buffer.from(text))

/** Makes JSON the only body type of routes, unless they add others; refuses prototype poisoning. */
export const readJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, parseJson)
}
