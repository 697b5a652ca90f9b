import { definePreset } from '@vid/config'
import file from '@vid/deliver-file'
import s3 from '@vid/deliver-s3'

/** The preset `aws`: results go to the output path and then to S3. */
export const aws = (options: Parameters<typeof s3>[0]) =>
  definePreset({ name: 'aws', deliveries: [file(), s3(options)] })

export default aws
