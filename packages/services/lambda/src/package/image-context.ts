import { chmod, copyFile, lstat, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rethrowMachineFault } from '@vid/protocol'
import type { PackageFile } from './package-files.ts'

/** Folder of the function inside the image's build folder. */
const FUNCTION = 'function'

const DOCKERFILE = `FROM public.ecr.aws/lambda/nodejs:22
COPY ${FUNCTION}/ \${LAMBDA_TASK_ROOT}/
CMD ["index.handler"]
`

const README = `# Image of the function of vid

Run these in this folder, with the address of your repository in ECR as REPOSITORY:

    docker build --platform linux/amd64 --provenance=false -t REPOSITORY:vid .
    docker push REPOSITORY:vid
    vid lambda deploy --image REPOSITORY:vid
`

/** Writes the build folder of an image; its files are readable by everyone, because Lambda chooses the user. */
export const writeImageContext = async (
  files: readonly PackageFile[],
  folder: string,
  signal: AbortSignal,
): Promise<void> => {
  await mkdir(join(folder, FUNCTION), { recursive: true })
  await writeFile(join(folder, 'Dockerfile'), DOCKERFILE)
  await writeFile(join(folder, 'README.md'), README)
  for (const { path, from, isExecutable } of files) {
    signal.throwIfAborted()
    const to = join(folder, FUNCTION, path)
    await mkdir(dirname(to), { recursive: true })
    if (typeof from === 'string') await copyFile(from, to)
    else await writeFile(to, from.content)
    await chmod(to, isExecutable ? 0o755 : 0o644)
  }
}

/** Whether a path is a folder written by `writeImageContext`. */
export const isImageContext = async (path: string): Promise<boolean> => {
  const parts = ['Dockerfile', `${FUNCTION}/index.mjs`].map((name) => join(path, name))
  const stats = await Promise.all(parts.map((part) => lstat(part).catch(rethrowMachineFault)))
  return stats.every((stat) => stat?.isFile())
}
