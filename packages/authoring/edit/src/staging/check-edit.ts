import { compileText, type Finding, lintProject } from '@vid/core/source-model'
import { isVidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Sources } from '../source/sources.ts'

/** What is wrong with a composition: findings of the linter, and why it cannot be put together. */
export interface Problems {
  readonly findings: readonly Finding[]
  readonly compiling: string | null
}

const cache = new WeakMap<Sources, Promise<Problems>>()

const readProblems = async ({ project, files, entry, textOf }: Sources): Promise<Problems> => {
  let compiling: string | null = null
  try {
    await compileText(files, { file: entry, html: textOf(entry) ?? '' })
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    compiling = thrown.message
  }
  return { findings: lintProject(project), compiling }
}

/** Checks a composition as a render does before it opens a browser; once for each state of the sources. */
const problemsOf = (sources: Sources): Promise<Problems> => {
  const reading = cache.get(sources) ?? readProblems(sources)
  cache.set(sources, reading)
  return reading
}

/** A sentence as a part of another one. */
const clause = (message: string) => message.replace(/\.$/, '')

/** The findings that an edit brings: an old one may stand at another line or twice, or name another time. */
const newFindings = (before: readonly Finding[], after: readonly Finding[]): readonly Finding[] => {
  const messages = (findings: readonly Finding[]) => new Set(findings.map(({ code, message }) => `${code} ${message}`))
  const isIn = (texts: ReadonlySet<string>) => (finding: Finding) => texts.has(`${finding.code} ${finding.message}`)
  const old = messages(before)
  const now = messages(after)
  const others = after.filter((finding) => !isIn(old)(finding))
  // One whose words are gone may be that with other words.
  const gone = before.filter((finding) => !isIn(now)(finding)).map(({ code }) => code)
  return others.filter(({ code }) => {
    const index = gone.indexOf(code)
    if (index >= 0) gone.splice(index, 1)
    return index < 0
  })
}

/**
 * The warnings that an edit brings. An edit that brings errors which the composition did not have is refused:
 * VID_EDIT_INVALID.
 */
export const checkEdit = async (before: Sources, after: Sources): Promise<readonly Finding[]> => {
  const old = await problemsOf(before)
  const now = await problemsOf(after)
  const fresh = newFindings(old.findings, now.findings)
  const errors = fresh.filter(({ severity }) => severity === 'error')
  const messages = errors.map(({ file, line, message, code }) => `${file}:${line}: ${clause(message)} (${code})`)
  if (now.compiling !== null && old.compiling === null) messages.push(clause(now.compiling))
  if (messages.length > 0) throw fail('VID_EDIT_INVALID', { findings: messages.join('; ') })
  return fresh
}
