import type { ReactNode } from 'react'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { afterPage, later } from '../../components/later.tsx'

const load = () => import('./Sentence.tsx')
const Sentence = later(() => load().then((file) => file.Sentence))

/** The sentences of all outcomes; a page whose rows may have some fetches them once the rows are drawn. */
export const SENTENCES = afterPage(load)

/** An outcome's sentence where it is only read on hover or in a menu; null without an outcome. */
export const lateSentence = (outcome: AnyOutcome | null): ReactNode => outcome && <Sentence outcome={outcome} />
