import { basename, extname } from 'node:path'
import { besidePath, type RenderRequest, usesCaptions } from '@vid/kernel'
import { fail } from './errors.ts'

/** Facts about a result that a key can contain. */
export interface KeyFacts {
  /** Output path of the request. */
  readonly outputPath: string
  /** File extension without the dot; for a folder, that of its files. */
  readonly format: string
  readonly date: Date
}

const values: Readonly<Record<string, (facts: KeyFacts) => string>> = {
  name: ({ outputPath }) => basename(outputPath),
  stem: ({ outputPath }) => basename(outputPath, extname(outputPath)),
  format: ({ format }) => format,
  date: ({ date }) => date.toISOString().slice(0, 10),
}

/** Limit of S3 on the length of a key, in bytes of UTF-8. */
const MAX_BYTES = 1024

const shapeProblem = (key: string): string | undefined => {
  if (key === '') return 'it is empty'
  const parts = key.split('/')
  if (parts.includes('')) return 'it starts or ends with a slash, or has two in a row'
  if (parts.some((part) => part === '.' || part === '..')) return 'a part of it is "." or ".."'
  return undefined
}

/** Checks a template; fails with VID_S3_KEY if it is invalid. */
export const checkKeyTemplate = (template: string): void => {
  const refuse = (problem: string) => fail('VID_S3_KEY', { key: template, problem })
  const literal = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name))
      throw refuse(
        `{${name}} is unknown; use ${Object.keys(values)
          .map((name) => `{${name}}`)
          .join(', ')}`,
      )
    return 'x'
  })
  const [strange] = /[^A-Za-z0-9!_.*'()/-]/u.exec(literal) ?? []
  if (strange !== undefined) throw refuse(`"${strange}" is not allowed in it`)
  const problem = shapeProblem(literal)
  if (problem) throw refuse(problem)
}

/** Fills in a template; fails with VID_S3_KEY if the resulting key is invalid. */
export const fillKey = (template: string, facts: KeyFacts): string => {
  const key = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]?.(facts) ?? '')
  const problem =
    shapeProblem(key) ??
    (/\p{Cc}/u.test(key) ? 'the name of the output has a control character' : undefined) ??
    (Buffer.byteLength(key) > MAX_BYTES ? `it is longer than ${MAX_BYTES} bytes` : undefined)
  if (problem) throw fail('VID_S3_KEY', { key, problem })
  return key
}

/** What ends the names of files beside a video, in any language. */
const SIDECARS = ['.en.vtt', '.en.srt']
const POSTER = '.poster.jpg'

/** Names of the results of a request, as far as they are known before it is rendered. */
const resultsOf = (request: Pick<RenderRequest, 'format' | 'output' | 'outputs' | 'captions' | 'poster'>) => {
  const outputs = [request, ...request.outputs]
  const beside = outputs.flatMap(({ output, format }) => {
    const suffixes = usesCaptions(request, 'sidecar') ? [...SIDECARS] : []
    // That of a folder is in it.
    if (request.poster !== undefined && format !== 'hls') suffixes.push(POSTER)
    return suffixes.map((suffix) => besidePath(output, suffix))
  })
  return [
    ...outputs.map(({ output, format }) => ({ outputPath: output, format })),
    ...[...new Set(beside)].map((outputPath) => ({ outputPath, format: extname(outputPath).slice(1) })),
  ]
}

/** The keys of the results of a request; for a folder, its prefix. */
export const resultKeys = (template: string, request: Parameters<typeof resultsOf>[0]): readonly string[] => {
  const date = new Date()
  return resultsOf(request).map((result) => fillKey(template, { ...result, date }))
}

/** Refuses a template by which results of a request would replace each other; fails with VID_S3_KEY. */
export const checkResults = (template: string, request: Parameters<typeof resultsOf>[0]): void => {
  const date = new Date()
  const names = new Map<string, string>()
  for (const result of resultsOf(request)) {
    const key = fillKey(template, { ...result, date })
    const name = basename(result.outputPath)
    const other = names.get(key)
    if (other !== undefined)
      throw fail('VID_S3_KEY', { key: template, problem: `${name} would replace ${other} at it; add {name}` })
    names.set(key, name)
  }
}
