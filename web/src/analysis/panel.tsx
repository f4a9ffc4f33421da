// What each move is worth, and how the program comes to think so.

import type { Position, Solved, Step, Thought } from '../api';
import { useSay, type Say } from '../board/speech';
import { useEngineWords } from '../engine';
import { decimal, useLanguage, useWords, type Language } from '../i18n';
import { Notice, Problem, Select, Spinner, Tag } from '../ui';
import { percentText, type Findings, type Value } from './analysis';
import { Chart } from './chart';
import { words } from './words';

interface Props {
  findings: Findings & { running: boolean; problem: unknown };
  values: Value[];
  position: Position;
  mover: string | null;
  title: (role: string) => string;
  seconds: string;
  onSeconds: (seconds: string) => void;
  onLine: OnLine;
}

// Wants to see the position after so many steps of a line.
type OnLine = (line: Step[], at: number) => void;

export const analysisTimes = ['5', '20', '60'] as const;

export function AnalysisPanel({ findings, values, position, mover, title, seconds, onSeconds, onLine }: Props) {
  const t = useWords(words);
  const { thought, solved, stop, running, problem, courses } = findings;
  if (position.over) return <p class="muted">{t('over')}</p>;
  if (mover === null) return <p class="muted">{t('nobody')}</p>;
  return (
    <div class="stack analysis">
      <div class="row spread">
        {solved ? <Tag tone="good">✓ {t('solved')}</Tag>
          : running ? <Spinner label={t('thinking')} />
          : stop !== null && thought && <Tag>{t('ended', { n: decimal(thought.seconds) })}</Tag>}
        <Select label={t('time')} value={seconds} onChange={onSeconds}
          options={analysisTimes.map((n) => ({ value: n, label: t('seconds', { n }) }))} />
      </div>
      <Problem problem={problem} />
      {solved && <p class="verdict">{verdict(solved, mover, title, t)}</p>}
      {!solved && thought?.recommends === false && <Notice>{t('unrecommended')}</Notice>}
      {values.length > 0 && <MoveTable values={values} caption={t('mover', { role: title(mover) })} solved={solved} />}
      {solved?.mixtures?.length === 2 && <Matrix solved={solved} title={title} />}
      {thought && <Figures thought={thought} onLine={onLine} />}
      {!solved && thought && <Chart courses={courses} best={values.map(({ move }) => move)} />}
    </div>
  );
}

function verdict({ moves, rank, mixtures, values }: Solved, mover: string, title: (role: string) => string, t: ReturnType<typeof useWords<typeof words>>): string {
  if (mixtures) return t('positionMixed', { role: title(mover), n: decimal(values[mover] ?? 0, 2) });
  const best = moves.find((move) => move.best)?.verdict ?? 'drawn';
  const role = title(mover);
  if (best === 'drawn') return t('positionDrawn');
  if (best === 'won') return rank === null ? t('positionWon', { role }) : t('positionWonIn', { role, n: rank });
  return rank === null ? t('positionLost', { role }) : t('positionLostIn', { role, n: rank });
}

function MoveTable({ values, caption, solved }: { values: Value[]; caption: string; solved: Solved | null }) {
  const t = useWords(words);
  const language = useLanguage();
  const say = useSay();
  const bests = new Set(solved?.moves.flatMap(({ move, best }) => (best ? [move] : [])));
  return (
    <div class="scroll moves-table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('move')}</th>
            <th scope="col">{solved?.mixtures ? t('probability') : t('value')}</th>
            {solved?.mixtures && <th scope="col" class="number">{t('worth')}</th>}
            {!solved && <th scope="col">{t('interval')}</th>}
            {!solved && <th scope="col" class="number">{t('visits')}</th>}
          </tr>
        </thead>
        <tbody>
          {values.map(({ move, tone, text, title, estimate, mixed }) => (
            <tr key={move}>
              <th scope="row">{say(move)}</th>
              <td>
                <Tag tone={tone} title={title}>{estimate || mixed ? text : title}</Tag>
                {bests.has(move) && <small class="muted"> {t('best')}</small>}
              </td>
              {mixed && <td class="number">{mixed}</td>}
              {estimate && <td><Interval {...estimate} /></td>}
              {estimate && <td class="number">{whole(estimate.visits, language)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Both mixtures, and what every pair of moves pays to the one whose moves are the rows.
function Matrix({ solved: { mixtures = [], payoffs, values }, title }: { solved: Solved; title: (role: string) => string }) {
  const t = useWords(words);
  const say = useSay();
  const [own, other] = mixtures;
  if (!own || !other) return null;
  const sum = (values[own.role] ?? 0) + (values[other.role] ?? 0);
  const caption = t(payoffs ? 'matrix' : 'against', { own: title(own.role), other: title(other.role) });
  if (!payoffs) {
    return (
      <table class="mixture">
        <caption>{caption}</caption>
        <thead><tr><th scope="col">{t('move')}</th><th scope="col">{t('probability')}</th><th scope="col">{t('worth')}</th></tr></thead>
        <tbody>
          {other.moves.map(({ move, probability, value }) => (
            <tr key={move}><th scope="row">{say(move)}</th><td>{percentText(probability)}</td><td>{value === null ? '—' : decimal(value)}</td></tr>
          ))}
        </tbody>
      </table>
    );
  }
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class="mixture">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <td />
            {other.moves.map(({ move, probability }) => <th key={move} scope="col">{say(move)}<br /><small>{percentText(probability)}</small></th>)}
            <th scope="col">{t('worth')}</th>
          </tr>
        </thead>
        <tbody>
          {own.moves.map(({ move, probability, value }, row) => (
            <tr key={move}>
              <th scope="row">{say(move)} <small>{percentText(probability)}</small></th>
              {other.moves.map((_, column) => {
                const paid = payoffs[row]![column]!;
                return <td key={column} class={paid > sum / 2 ? 'good' : paid < sum / 2 ? 'bad' : ''}>{t('pays', { own: paid, other: sum - paid })}</td>;
              })}
              <td>{value === null ? '—' : decimal(value)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('worthOf', { role: title(other.role) })}</th>
            {other.moves.map(({ move, value }) => <td key={move}>{value === null ? '—' : decimal(value)}</td>)}
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Interval({ low, mean, high }: { low: number; mean: number; high: number }) {
  const said = `${Math.round(low)}–${Math.round(high)}`;
  return (
    <span class="interval">
      <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
        <line class="rule" x1="0" x2="100" y1="6" y2="6" />
        <rect x={low} width={Math.max(1, high - low)} y="3" height="6" />
        <line class="mean" x1={mean} x2={mean} y1="0" y2="12" />
      </svg>
      <small>{said}</small>
    </span>
  );
}

export function Figures({ thought, onLine }: { thought: Thought; onLine: OnLine }) {
  const t = useWords(words);
  const language = useLanguage();
  const spoken = useEngineWords();
  const { playouts, playouts_per_second: speed, positions, remark, recommends, line } = thought;
  return (
    <dl class="figures">
      {playouts > 0 && <div><dt>{t('speed')}</dt><dd>{whole(speed, language)}</dd></div>}
      {playouts > 0 && <div><dt>{t('playouts')}</dt><dd>{whole(playouts, language)}</dd></div>}
      {positions > 0 && <div><dt>{t('positions')}</dt><dd>{whole(positions, language)}</dd></div>}
      {remark && <div><dt>{t('remark')}</dt><dd>{spoken(remark)}</dd></div>}
      {recommends && line.length > 0 && <div class="wide"><dt>{t('line')}</dt><dd><Line line={line} onLine={onLine} /></dd></div>}
    </dl>
  );
}

function Line({ line, onLine }: { line: Step[]; onLine: OnLine }) {
  const t = useWords(words);
  const say = useSay();
  const moves = line.flatMap((step, place) => {
    const move = choices(step, say);
    return move === '' ? [] : [{ move, after: place + 1 }];
  });
  return (
    <ol class="best-line">
      {moves.map(({ move, after }) => (
        <li key={after}><button type="button" class="ply-link" title={t('lookAhead', { move })} onClick={() => onLine(line, after)}>{move}</button></li>
      ))}
    </ol>
  );
}

const whole = (value: number, language: Language): string => Math.round(value).toLocaleString(language);

// The moves of a step, without those who just wait.
const choices = (step: Step, say: Say): string =>
  Object.values(step).filter((move) => !/^(wait|noop|nil)$/i.test(move)).map((move) => say(move)).join(' / ');
