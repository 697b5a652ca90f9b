import { loadComposition } from '@vid/core'
import { isVidError } from '@vid/kernel'
import type { ApartReply, ApartTask } from './apart.ts'
import { countFindings } from './lint/findings.ts'
import { lintProject } from './lint/lint-project.ts'

/** Findings that a reply lists; the rest is only counted. */
const MAX_FINDINGS = 1000

const { signal } = new AbortController()

const read = async (task: ApartTask): Promise<unknown> => {
  const { projectDir, entry } = task
  if (task.kind === 'load')
    return loadComposition(projectDir, entry, { signal, ...(task.shape !== undefined && { shape: task.shape }) })
  const findings = await lintProject(projectDir, entry, { alpha: task.alpha, signal })
  return { ...countFindings(findings), findings: findings.slice(0, MAX_FINDINGS) }
}

/** Does one task of a thread; what is thrown comes back as data, since a copy of an error is no longer of its class. */
export default async (task: ApartTask): Promise<ApartReply> => {
  try {
    return { value: await read(task) }
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    return { error: { data: thrown.toJSON(), facts: JSON.parse(JSON.stringify(thrown.facts)) } }
  }
}
