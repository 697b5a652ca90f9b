// Functions, their environments and their calls, with the limits of Lambda.
import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { serviceError } from '../service.mjs'
import { arnOf, configured, nameOf } from './configuration.mjs'
import { createInvocations } from './invocations.mjs'
import { unpackPackage } from './package.mjs'

const MAX_ZIP_BYTES = 52_428_800

/**
 * The functions of an account.
 * @param {object} options
 * @param {string} options.folder where packages and environments lie
 * @param {number} options.concurrency of the account
 * @param {number} options.initSeconds
 * @param {{ accessKeyId: string, secretAccessKey: string }} options.keys of the function's role
 * @param {(bucket: string, key: string) => Promise<Buffer>} options.readObject
 * @param {object} options.machine of `startEnvironment`
 * @param {(environment: object) => Promise<object>} options.openS3
 * @param {{ write: (group: string, stream: string, message: string) => void }} options.logs
 */
export const createFunctions = (options) => {
  const { folder, readObject } = options
  const functions = new Map()

  const find = (text) => {
    const found = functions.get(nameOf(text))
    if (!found)
      throw serviceError(
        'ResourceNotFoundException',
        `Function not found: ${arnOf(nameOf(text) || text)}`,
        404,
      )
    return found
  }
  const retire = (fn) => {
    for (const environment of fn.environments) {
      if (environment.isBusy) environment.isRetired = true
      else {
        fn.environments.delete(environment)
        void environment.close()
      }
    }
  }
  const loadCode = async ({ ZipFile, S3Bucket, S3Key }) => {
    const bytes = ZipFile
      ? Buffer.from(ZipFile, 'base64')
      : await readObject(S3Bucket, S3Key).catch((error) => {
          throw serviceError(
            'InvalidParameterValueException',
            `Error occurred while GetObject. S3 Error Code: ${error.name}. S3 Error Message: ${error.message}`,
          )
        })
    if (ZipFile && bytes.length > MAX_ZIP_BYTES)
      throw serviceError(
        'RequestEntityTooLargeException',
        `Request must be smaller than ${MAX_ZIP_BYTES} bytes for the CreateFunction operation`,
        413,
      )
    const code = join(folder, 'packages', randomUUID())
    try {
      await unpackPackage(bytes, code)
    } catch (error) {
      rmSync(code, { recursive: true, force: true })
      throw error
    }
    return { code, CodeSize: bytes.length, CodeSha256: createHash('sha256').update(bytes).digest('base64') }
  }
  const removeCode = (fn) => rmSync(fn.code, { recursive: true, force: true })

  const describe = ({ configuration, CodeSize, CodeSha256, modified }) => ({
    ...configuration,
    FunctionArn: arnOf(configuration.FunctionName),
    CodeSize,
    CodeSha256,
    Version: '$LATEST',
    LastModified: modified,
    PackageType: 'Zip',
    State: 'Active',
    LastUpdateStatus: 'Successful',
  })
  const now = () => new Date().toISOString().replace('Z', '+0000')

  const create = async (input) => {
    const { FunctionName } = input
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(FunctionName ?? ''))
      throw serviceError(
        'ValidationException',
        `Value '${FunctionName}' at 'functionName' failed to satisfy constraint`,
      )
    if (functions.has(FunctionName))
      throw serviceError('ResourceConflictException', `Function already exist: ${FunctionName}`, 409)
    const configuration = { FunctionName, ...configured(input) }
    const fn = { configuration, environments: new Set(), modified: now(), ...(await loadCode(input.Code)) }
    functions.set(FunctionName, fn)
    return describe(fn)
  }
  const updateCode = async (name, input) => {
    const fn = find(name)
    // The old code stays: environments that are busy still read it.
    Object.assign(fn, await loadCode(input), { modified: now() })
    retire(fn)
    return describe(fn)
  }
  const updateConfiguration = (name, input) => {
    const fn = find(name)
    fn.configuration = { FunctionName: fn.configuration.FunctionName, ...configured(input, fn.configuration) }
    fn.modified = now()
    retire(fn)
    return describe(fn)
  }
  const remove = async (name) => {
    const fn = find(name)
    functions.delete(fn.configuration.FunctionName)
    await Promise.all([...fn.environments].map((each) => each.close()))
    removeCode(fn)
  }

  return {
    create,
    updateCode,
    updateConfiguration,
    remove,
    get: (name) => {
      const fn = find(name)
      return {
        Configuration: describe(fn),
        Code: { RepositoryType: 'S3', Location: '' },
        Tags: {},
        ...(fn.reserved !== undefined && { Concurrency: { ReservedConcurrentExecutions: fn.reserved } }),
      }
    },
    reserve: (name, value) => {
      find(name).reserved = value
    },
    ...createInvocations(functions, find, options),
    environments: () => [...functions.values()].flatMap((fn) => [...fn.environments]),
    close: async () => {
      await Promise.all([...functions.keys()].map((name) => remove(name)))
    },
  }
}
