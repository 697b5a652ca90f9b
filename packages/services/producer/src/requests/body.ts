import type { Readable } from 'node:stream'
import { isTooDeep, schemaProblems, type TSchema } from '@vid/protocol'
import { failHttp, limitedBody, readJsonPart } from '@vid/server'
import type { FastifyRequest } from 'fastify'

/** Names of the form parts with the JSON of a request and its project. */
export const PARTS = { request: 'request', zip: 'projectZip' } as const

/** Longest name of a part, in bytes. */
const NAME_BYTES = 100

/** Largest JSON in a form, in bytes: it stays in memory until the zip has arrived, which may take long. */
export const FORM_JSON_BYTES = 2 ** 20

/** Longest variables, in characters of JSON: they are a part of every plan, which is checked and compared again and again. */
const MAX_VARIABLES = 2 ** 20

/** The problem of variables that are too long. */
const variablesProblems = (body: unknown): string[] => {
  const { variables } = body as { readonly variables?: unknown }
  const length = JSON.stringify(variables)?.length ?? 0
  return length > MAX_VARIABLES ? [`variables has ${length} characters as JSON; the limit is ${MAX_VARIABLES}`] : []
}

/** Refuses a body that does not match its schema, with the problems of all fields. */
export const checkBody = <T>(schema: TSchema, body: unknown): T => {
  const problems = isTooDeep(body) ? ['it nests too deep'] : schemaProblems(schema, body)
  if (problems.length === 0) problems.push(...variablesProblems(body))
  if (problems.length === 0) return body as T
  throw failHttp('VID_HTTP_INVALID', { part: 'body', problems })
}

/** Size limits of a body, in bytes. */
export interface BodyLimits {
  readonly bodyBytes: number
  readonly uploadBytes: number
}

/** A parsed body with its received zip. */
export interface ReadBody<T, Z> {
  readonly body: T
  /** The result of `receive`; undefined if no zip was sent. */
  readonly zip: Z | undefined
}

const unknownPart = (name: string) =>
  failHttp('VID_HTTP_INVALID', {
    part: 'body',
    problems: [
      `part ${JSON.stringify(name.slice(0, NAME_BYTES))} is not known; parts: ${Object.values(PARTS).join(', ')}`,
    ],
  })

const twicePart = (name: string) =>
  failHttp('VID_HTTP_INVALID', {
    part: 'body',
    problems: [`part ${JSON.stringify(name.slice(0, NAME_BYTES))} is given twice`],
  })

const readParts = async <Z>(
  request: FastifyRequest,
  { bodyBytes, uploadBytes }: BodyLimits,
  receive: (zip: Readable) => Promise<Z>,
  discard: (zip: Z) => void,
): Promise<ReadBody<unknown, Z>> => {
  let json: unknown = {}
  let zip: Z | undefined
  const names = new Set<string>()
  const jsonBytes = Math.min(FORM_JSON_BYTES, bodyBytes)
  try {
    const limits = {
      // One more of each than is read, so that it is named in the refusal.
      parts: 4,
      fields: 3,
      files: 3,
      fieldNameSize: NAME_BYTES,
      fieldSize: jsonBytes,
      fileSize: uploadBytes + 1,
    }
    for await (const part of request.parts({ limits })) {
      if (names.has(part.fieldname)) throw twicePart(part.fieldname)
      names.add(part.fieldname)
      if (part.type === 'file' && part.fieldname === PARTS.zip) zip = await receive(limitedBody(part.file, uploadBytes))
      else if (part.type === 'field' && part.fieldname === PARTS.request) {
        if (part.valueTruncated) throw failHttp('VID_HTTP_BODY_TOO_LARGE', { bytes: jsonBytes })
        json = typeof part.value === 'string' ? await readJsonPart(request, part.value) : part.value
      } else throw unknownPart(part.fieldname)
    }
  } catch (thrown) {
    if (zip !== undefined) discard(zip)
    throw thrown
  }
  return { body: json, zip }
}

/**
 * Reads the body of a request: JSON, or a form with the JSON in the part `request` and a zip in the part `projectZip`,
 * which `receive` reads as it arrives. `discard` undoes that if the rest of the body is refused.
 */
export const readBody = async <T, Z>(
  request: FastifyRequest,
  schema: TSchema,
  limits: BodyLimits,
  receive: (zip: Readable) => Promise<Z>,
  discard: (zip: Z) => void,
): Promise<ReadBody<T, Z>> => {
  if (!request.isMultipart()) return { body: checkBody<T>(schema, request.body), zip: undefined }
  const { body, zip } = await readParts(request, limits, receive, discard)
  try {
    return { body: checkBody<T>(schema, body), zip }
  } catch (thrown) {
    if (zip !== undefined) discard(zip)
    throw thrown
  }
}
