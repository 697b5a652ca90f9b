import { type CommandRun, shellWord } from '@vid/command'
import { type ProjectManifest, readManifest } from '@vid/project'
import type { Warning } from '@vid/protocol'
import { leftBehindWarnings } from '@vid/remote'
import { findingCounts, lintRemote, type RemoteComposition, readComposition, refuseErrors } from '@vid/render'
import { siteLeftBehind } from '../../sites/left-behind.ts'
import { lambdaWarning } from '../../warnings.ts'

/** A folder to render on AWS. */
export interface LambdaProject {
  readonly composition: RemoteComposition
  readonly manifest: ProjectManifest
  readonly warnings: readonly Warning[]
}

/** A request to read a folder. */
export interface AskedProject {
  /** Relative to the current folder. */
  readonly dir: string
  readonly entry: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly strict: boolean
  /** Shape that it is laid out for; as it is written if left out. */
  readonly shape?: string | undefined
  /** Site to render in place of the folder. */
  readonly siteId?: string | undefined
}

/** Checks a folder before anything is uploaded: its entry file, its variables, and which of its files are left out. */
export const readLambdaProject = async (
  { dir, entry, variables, strict, shape, siteId }: AskedProject,
  { cwd, signal }: Pick<CommandRun, 'cwd' | 'signal'>,
): Promise<LambdaProject> => {
  const source = { projectDir: dir, entry, variables, strictVariables: strict, shape }
  const composition = await readComposition(source, { cwd, signal })
  const { projectDir } = composition
  const manifest = await readManifest(projectDir, { signal })
  const isOther = siteId !== undefined && siteId !== manifest.digest
  const warnings = isOther
    ? [lambdaWarning('VID_LAMBDA_SITE_DIFFERS', { siteId, folder: dir })]
    : await leftBehindWarnings({ projectDir, manifest, entry }, siteLeftBehind)
  return { composition, manifest, warnings: [...composition.warnings, ...warnings] }
}

/** Returns a line about lint findings in a folder, if any; with `strict`, lint errors refuse the folder. */
export const lintLambdaProject = async (
  { composition: { projectDir } }: LambdaProject,
  { dir, entry, format, strict }: { dir: string; entry: string; format: string; strict: boolean },
  { signal }: Pick<CommandRun, 'signal'>,
): Promise<readonly string[]> => {
  const findings = await lintRemote({ projectDir, entry, format }, signal)
  if (strict) refuseErrors(findings, dir)
  if (findings.length === 0) return []
  return [`lint: ${findingCounts(findings)} — vid lint${dir === '.' ? '' : ` ${shellWord(dir)}`} shows them`]
}
