import { Descriptions, Flex } from 'antd'
import type { LeftOutWords } from '#contract/targeting/there.ts'
import { Tags } from '../../components/Tags.tsx'
import text from '../../components/text.module.css'
import styles from './targeting-package.module.css'

interface Props {
  leftOut: readonly LeftOutWords[]
  /** The platform's own words for the whole package. */
  words: string | null
  /** Names of crowds that can no longer be used, as the platform has them. */
  lost: readonly string[]
}

/** What a package made on its platform restricts there besides the targeting that can be shown here. */
export const OnlyThere = ({ leftOut, words, lost }: Props) => (
  <Flex vertical gap={12}>
    {leftOut.length > 0 && (
      <Descriptions
        size="small"
        bordered
        className={styles.words ?? ''}
        column={1}
        items={leftOut.map(({ field, label, words: values }) => ({
          key: field,
          label,
          children: <Tags words={values} />,
        }))}
      />
    )}
    {leftOut.length > 0 && <span className={text.small}>这些条件只在平台上，复制时不会带过去</span>}
    {lost.length > 0 && (
      <div>
        <span className={text.small}>已失效的人群：</span>
        {lost.join('、')}
      </div>
    )}
    {words !== null && (
      <div>
        <span className={text.small}>平台的说明：</span>
        {words}
      </div>
    )}
  </Flex>
)
