import { join } from 'node:path'
import { digestFile } from '@vid/system'
import type { CheckFinding, CheckResult } from '../events.ts'

type Mend = NonNullable<CheckFinding['mend']>[number]

const placedMend = async (mend: Mend, projectDir: string): Promise<Mend> => {
  const { target } = mend
  if (typeof target === 'string') return mend
  return { ...mend, target: { ...target, digest: await digestFile(join(projectDir, target.file)) } }
}

/** Adds to the operations of findings which version of a file they are for: a line means something else in another. */
export const withDigests = async (check: CheckResult, projectDir: string): Promise<CheckResult> => ({
  ...check,
  findings: await Promise.all(
    check.findings.map(async (finding) =>
      finding.mend
        ? { ...finding, mend: await Promise.all(finding.mend.map((mend) => placedMend(mend, projectDir))) }
        : finding,
    ),
  ),
})
