// Lets a Node that cannot run TypeScript load it: a module hook that removes the types of a file.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

export const load = async (url, context, next) => {
  if (!/\.m?ts$/.test(new URL(url).pathname)) return next(url, context)
  const sourcefile = fileURLToPath(url)
  const { code } = await transform(await readFile(sourcefile, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcefile,
    sourcemap: 'inline',
  })
  return { format: 'module', source: code, shortCircuit: true }
}
