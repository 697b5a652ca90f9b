import { type Finding, compileText, lintComposition, type ProjectFiles } from '@vid/core/source-model'
import { isVidError } from '@vid/kernel'
import { fail } from '../errors.ts'

/** What is wrong with a composition: errors of the linter, and why it cannot be put together. */
export interface Problems {
  readonly findings: readonly Finding[]
  readonly compiling: string | null
}

/** Checks a composition as a render does before it opens a browser. */
export const findProblems = async (
  dir: string,
  entry: string,
  files: ProjectFiles,
  signal: AbortSignal | undefined,
): Promise<Problems> => {
  const findings = await lintComposition(dir, entry, { files, ...(signal && { signal }) })
  const html = (await files.readText(entry)) ?? ''
  let compiling: string | null = null
  try {
    await compileText(files, { file: entry, html })
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    compiling = thrown.message
  }
  return { findings: findings.filter(({ severity }) => severity === 'error'), compiling }
}

/** Refuses an edit that brings errors which the composition did not have: VID_EDIT_INVALID. */
export const requireNoNewProblems = (before: Problems, after: Problems): void => {
  const counts = new Map<string, number>()
  for (const { code } of before.findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  const messages = new Set(before.findings.map(({ message }) => message))
  const fresh = after.findings.filter(({ code, message }) => {
    const rest = counts.get(code) ?? 0
    if (messages.has(message)) {
      counts.set(code, rest - 1)
      return false
    }
    return true
  })
  // An old error may read otherwise after an edit, such as with another time.
  const brought = fresh.filter(({ code }) => {
    const rest = counts.get(code) ?? 0
    counts.set(code, rest - 1)
    return rest <= 0
  })
  const findings = brought.map(({ file, line, message, code }) => `${file}:${line}: ${message} (${code})`)
  if (findings.length > 0) throw fail('VID_EDIT_INVALID', { findings })
  if (after.compiling !== null && before.compiling === null)
    throw fail('VID_EDIT_INVALID', { findings: [after.compiling] })
}
