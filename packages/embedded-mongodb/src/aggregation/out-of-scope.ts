/*
 * What MongoDB 7 supports and this server does not. The error says that the name is out of scope, not unknown.
 */

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const OUT_OF_SCOPE_OPERATORS = names(
  `$abs $accumulator $acos $acosh $add $allElementsTrue $anyElementTrue $arrayElemAt $arrayToObject $asin $asinh
  $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $ceil $cmp $concat $concatArrays
  $convert $cos $cosh $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString
  $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $exp $filter $first $firstN $floor $function $getField $gte
  $hour $in $indexOfArray $indexOfBytes $indexOfCP $isArray $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $last
  $lastN $let $literal $ln $log $log10 $lt $lte $ltrim $map $max $maxN $median $meta $millisecond $min $minN $minute
  $mod $month $not $or $percentile $pow $radiansToDegrees $rand $range $reduce $regexFind $regexFindAll $regexMatch
  $replaceAll $replaceOne $reverseArray $round $rtrim $sampleRate $second $setDifference $setEquals $setField
  $setIntersection $setIsSubset $setUnion $sin $sinh $size $slice $sortArray $split $sqrt $stdDevPop $stdDevSamp
  $strcasecmp $strLenBytes $strLenCP $substr $substrBytes $substrCP $sum $switch $tan $tanh $toBool $toDate
  $toDecimal $toHashedIndexKey $toInt $toLong $toLower $toObjectId $toString $toUpper $trim $trunc $tsIncrement
  $tsSecond $unsetField $week $year $zip`,
);

export const OUT_OF_SCOPE_VARIABLES = names('CLUSTER_TIME SEARCH_META USER_ROLES');

export const OUT_OF_SCOPE_ACCUMULATORS = names(
  `$accumulator $addToSet $avg $bottom $bottomN $count $firstN $last $lastN $maxN $median $mergeObjects $minN
  $percentile $push $stdDevPop $stdDevSamp $top $topN`,
);

export const OUT_OF_SCOPE_STAGES = names(
  `$bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $count $densify $documents $facet $fill $geoNear
  $graphLookup $listLocalSessions $listSampledQueries $listSearchIndexes $listSessions $lookup $merge $out
  $planCacheStats $redact $replaceRoot $search $searchMeta $setWindowFields $sortByCount $unionWith $unset
  $vectorSearch`,
);
