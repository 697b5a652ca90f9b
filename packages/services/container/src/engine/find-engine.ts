import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { describeCause, type VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import { callEngine, type EngineProgram, lastWords } from './engine-call.ts'
import { type EngineFacts, readEngineFacts } from './engine-facts.ts'

/** A container engine that answers. */
export interface Engine extends EngineProgram, EngineFacts {}

/** Programs of engines, the preferred first. */
const PROGRAMS = ['docker', 'podman'] as const

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const findProgram = (name: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined => {
  if (name.includes('/')) return isProgram(resolve(name)) ? resolve(name) : undefined
  return PATH.split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isProgram)
}

/** Whether an engine refused this user, rather than being away. */
const isDenied = (text: string): boolean => /permission denied|operation not permitted/i.test(text)

/** The error of an engine that does not do what it is asked to. */
export const engineTrouble = (program: string, output: string): VidError => {
  const facts = { program, reason: lastWords(output) }
  return isDenied(output) ? fail('VID_CONTAINER_ENGINE_DENIED', facts) : fail('VID_CONTAINER_ENGINE_SILENT', facts)
}

const tryEngine = async (program: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<Engine> => {
  const engine: EngineProgram = { program, env }
  const args = ['info', '--format', '{{json .}}']
  const answer = await callEngine(engine, args, signal ? { signal } : {}).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw engineTrouble(program, describeCause(cause))
  })
  if (answer.code !== 0) throw engineTrouble(program, answer.stderr)
  const facts = readEngineFacts(answer.stdout)
  if (typeof facts === 'string') throw engineTrouble(program, facts)
  return { ...engine, ...facts }
}

/**
 * Finds the container engine: the one that VID_CONTAINER_ENGINE names, else the first of Docker and Podman that answers.
 */
export const findEngine = async (env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<Engine> => {
  const choice = env.VID_CONTAINER_ENGINE
  const names = choice ? [choice] : PROGRAMS
  const programs = names.flatMap((name) => findProgram(name, env) ?? [])
  if (programs.length === 0) throw fail('VID_CONTAINER_ENGINE_MISSING', { searched: names, isChosen: Boolean(choice) })
  let trouble: unknown
  for (const program of programs) {
    try {
      return await tryEngine(program, env, signal)
    } catch (thrown) {
      signal?.throwIfAborted()
      trouble ??= thrown
    }
  }
  throw trouble
}
