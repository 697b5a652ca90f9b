import { dirname, posix } from 'node:path'
import type { Composition } from '@vid/core'
import { isSourceAddress } from '@vid/kernel'
import { describeCause } from '@vid/protocol'
import { runPool } from '@vid/system'
import type { PreparedRender } from '../prepare/prepare.ts'
import type { RowList, RowProblem } from '../table/listed-row.ts'
import { renderWarning } from '../warnings.ts'

/** Files that are fetched at once. */
const AT_ONCE = 8

const SOURCE_BINDING = /\sdata-var-src\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

/** The variables that a page takes sources of pictures, videos and sounds from. */
export const mediaVariables = (
  html: string,
  { declarations }: Pick<Composition, 'declarations'>,
): readonly string[] => {
  const named = new Set([...html.matchAll(SOURCE_BINDING)].map(([, double, single, bare]) => double ?? single ?? bare))
  return declarations.flatMap(({ id, type }) => (named.has(id) && type === 'string' ? [id] : []))
}

/** A source that is one for the page, and the values that name it. */
interface NamedSource {
  readonly src: string
  readonly places: readonly { readonly row: number; readonly variable: string }[]
}

const sourcesOf = ({ rows }: RowList, variables: readonly string[], folder: string): readonly NamedSource[] => {
  const sources = new Map<string, { row: number; variable: string }[]>()
  for (const { number, variables: values } of rows)
    for (const variable of variables) {
      const value = values[variable]
      if (typeof value !== 'string' || value.trim() === '' || /^(?:data|blob):/i.test(value)) continue
      const src = isSourceAddress(value) || folder === '.' ? value : posix.join(folder, value)
      const places = sources.get(src) ?? []
      places.push({ row: number, variable })
      sources.set(src, places)
    }
  return [...sources].map(([src, places]) => ({ src, places }))
}

/**
 * Sources in the values of rows that are not there: files of the project, and, under strict checking, addresses, each of
 * which is fetched once for the whole batch.
 */
export const mediaProblems = async (
  prepared: PreparedRender,
  list: RowList & { readonly html: string; readonly composition: Composition },
  signal: AbortSignal,
): Promise<readonly RowProblem[]> => {
  const [{ entry = 'index.html', network }] = prepared.requests
  const isStrict = prepared.config.render.strict === true
  const variables = mediaVariables(list.html, list.composition)
  const all = variables.length === 0 ? [] : sourcesOf(list, variables, dirname(entry))
  const checked = all.filter(({ src }) => !isSourceAddress(src) || (isStrict && network !== 'none'))
  if (checked.length === 0) return []
  const problems: RowProblem[] = []
  const run = await prepared.kernel.open({ projectDir: prepared.projectDir, signal })
  try {
    const { sources } = run.context({ name: '@vid/render', options: {} })
    await runPool(checked, AT_ONCE, signal, async ({ src, places }) => {
      const reason = await sources.file(src).then(
        (file) => (file === undefined ? 'there is no such file in the project' : undefined),
        (thrown: unknown) => {
          signal.throwIfAborted()
          return describeCause(thrown)
        },
      )
      if (reason === undefined) return
      for (const { row, variable } of places) {
        const column = list.columnOf(variable)
        const place = column ? { column } : {}
        const message = `"${src}" of "${variable}" cannot be shown: ${reason.replace(/\.$/, '')}.`
        problems.push({
          row,
          kind: `source ${src}`,
          ...renderWarning('VID_BATCH_SOURCE', { message }),
          isLoose: true,
          variable,
          ...place,
          ...(isStrict && { isFatal: true }),
        })
      }
    })
  } finally {
    await run.close()
  }
  return problems.sort((one, other) => (one.row ?? 0) - (other.row ?? 0))
}
