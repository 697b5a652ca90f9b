import { loadComposition } from '@vid/core'
import { isVidError } from '@vid/kernel'
import { countFindings } from '@vid/render'
import { lintProject } from '@vid/render/lint-project'
import type { ReadReply, ReadTask } from './reader.ts'

/** Findings that a reply lists; the rest is only counted. */
const MAX_FINDINGS = 1000

const { signal } = new AbortController()

const read = async (task: ReadTask): Promise<unknown> => {
  const { projectDir, entry } = task
  if (task.kind === 'load')
    return loadComposition(projectDir, entry, { signal, ...(task.shape !== undefined && { shape: task.shape }) })
  const findings = await lintProject(projectDir, entry, { alpha: task.alpha, signal })
  return { ...countFindings(findings), findings: findings.slice(0, MAX_FINDINGS) }
}

/** Does one task of a thread; what is thrown comes back as data, since a copy of an error is no longer of its class. */
export default async (task: ReadTask): Promise<ReadReply> => {
  try {
    return { value: await read(task) }
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    return { error: { data: thrown.toJSON(), facts: JSON.parse(JSON.stringify(thrown.facts)) } }
  }
}
